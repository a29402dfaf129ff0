// A file of the browser as a source that can be read again and again.
import type { Source } from '@mxproof/files/open-table';

export function blobSource(file: Blob): Source {
  return {
    async *chunks() {
      const reader = file.stream().getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          yield value;
        }
      } finally {
        await reader.cancel().catch(() => {});
      }
    },
  };
}
