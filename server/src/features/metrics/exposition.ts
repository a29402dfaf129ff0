// All families as the text that Prometheus reads.
// Promise: a family without a sample is left out; one text is made at a time, and who asks meanwhile gets the same.
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Family } from './family.ts';

const PREFIX = 'mxproof_';
/** Labelled with names of Node's classes, and called totals although they are none. */
const WITHOUT = /^mxproof_nodejs_active_/;

export interface Exposition {
  readonly contentType: string;
  text(): Promise<string>;
  /** Of Node and its process, and ours. */
  describe(): Promise<{ readonly name: string; readonly type: string; readonly help: string }[]>;
}

/** `before`: what must be read before the families are. */
export function createExposition(families: readonly Family[], before: () => Promise<unknown>): Exposition {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  for (const { name } of registry.getMetricsAsArray())
    if (WITHOUT.test(name)) registry.removeSingleMetric(name);
  // The registry asks no more of a metric than this.
  for (const { name, help, type, samples } of families.map(bound))
    registry.registerMetric({
      name,
      get: async () => ({ name, help, type, aggregator: 'sum', values: samples() }),
    } as unknown as Metric);

  let making: Promise<string> | null = null;
  async function make(): Promise<string> {
    await before();
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    const texts = await Promise.all(names.map((name) => registry.getSingleMetricAsString(name)));
    return `${texts.filter(hasSamples).join('\n\n')}\n`;
  }

  return {
    contentType: registry.contentType,
    text() {
      making ??= make().finally(() => {
        making = null;
      });
      return making;
    },
    async describe() {
      const metrics = await registry.getMetricsAsJSON();
      return metrics.map(({ name, help, type }) => ({ name, help, type: String(type) }));
    },
  };
}

function bound(family: Family) {
  const { name, help, type } = family;
  return { name, help, type, samples: () => family.samples() };
}

/** Not only its help and type. */
function hasSamples(text: string): boolean {
  return !text.slice(text.lastIndexOf('\n') + 1).startsWith('#');
}
