// Loaded into the service before anything else (`--import`): at each SIGUSR2 the wall clock steps, an hour forward and
// then an hour back, as the system's would. Timers and performance.now() go on, as they do there.
const HOUR_MS = 3_600_000;
const RealDate = Date;
let stepMs = 0;

process.on('SIGUSR2', () => {
  stepMs = stepMs === 0 ? HOUR_MS : 0;
});

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [string | number | Date]) {
    if (given.length === 0) super(RealDate.now() + stepMs);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + stepMs;
  }
} as DateConstructor;
