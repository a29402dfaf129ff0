// What PostgreSQL alone does on this machine at this moment: the same bytes, the same commits, without a service.
import { toChunks } from '../../server/src/rules/clean-emails.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { type BenchRow, repeat, row } from './runner.ts';

const CONNECTIONS = 32;
const COMMITS_SECONDS = 2;

/** Rows without a target, to read the others by. */
export async function calibrateStore(
  url: string,
  emails: readonly string[],
  runs: number,
): Promise<BenchRow[]> {
  const db = openDatabase({ url, poolSize: CONNECTIONS });
  try {
    await db.query('CREATE TABLE public.raw_chunks (n bigint GENERATED ALWAYS AS IDENTITY, emails text)');
    await db.query(
      'CREATE TABLE public.raw_rows (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text)',
    );
    const { pieces } = toChunks(emails);
    const inserts = await repeat(runs, async () => {
      const startMs = performance.now();
      for (const { text } of pieces)
        await db.query(
          `INSERT INTO public.raw_chunks (emails) SELECT * FROM unnest(string_to_array($1, E'\\n'))`,
          [text],
        );
      return performance.now() - startMs;
    });
    const commits = await repeat(runs, async () => {
      const startMs = performance.now();
      let made = 0;
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          for (; performance.now() - startMs < COMMITS_SECONDS * 1000; made++)
            await db.prepared('raw-row', 'INSERT INTO public.raw_rows (name) VALUES ($1)', ['x']);
        }),
      );
      return made / ((performance.now() - startMs) / 1000);
    });
    await db.query('DROP TABLE public.raw_chunks, public.raw_rows');
    return [
      row('raw: the same 100,000 in one INSERT', 'ms', inserts, null, 'PostgreSQL alone'),
      row(`raw: one-row commits on ${CONNECTIONS} connections`, '/s', commits, null, 'PostgreSQL alone'),
    ];
  } finally {
    await db.close();
  }
}
