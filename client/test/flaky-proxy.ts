// A proxy that lets every request through to the service and then loses many of the answers: the service has done its
// work, and its client cannot know. Others it answers itself, with 429 or 503, before the service hears of them.
import { request as httpRequest } from 'node:http';
import { type FakeService, json, startFake } from './fake-service.ts';

/** `lost`: after the service has answered. `cut`: in the middle of its answer. */
export type Trouble = 'none' | 'rate_limited' | 'unavailable' | 'unavailable_after' | 'lost' | 'cut';

export interface FlakyProxy extends FakeService {
  readonly met: Record<Trouble, number>;
}

export async function startFlakyProxy(
  port: number,
  troubleOf: (place: number) => Trouble,
): Promise<FlakyProxy> {
  const met: Record<Trouble, number> = {
    none: 0,
    rate_limited: 0,
    unavailable: 0,
    unavailable_after: 0,
    lost: 0,
    cut: 0,
  };
  const fake = await startFake((response, { method, path, headers, body }, place) => {
    const trouble = troubleOf(place);
    met[trouble] += 1;
    if (trouble === 'rate_limited')
      return json(response, 429, { error: 'rate limit exceeded' }, { 'retry-after': '0' });
    if (trouble === 'unavailable') return json(response, 503, { error: 'service unavailable' });
    const forwarded = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => {
          const bytes = Buffer.concat(pieces);
          if (trouble === 'lost') return void response.destroy();
          if (trouble === 'unavailable_after') return json(response, 503, { error: 'service unavailable' });
          response.writeHead(answer.statusCode!, answer.headers);
          if (trouble === 'none') return void response.end(bytes);
          response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
        });
      },
    );
    forwarded.on('error', () => response.destroy());
    forwarded.end(body);
  });
  return Object.assign(fake, { met });
}
