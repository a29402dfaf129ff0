// Deletes lists at the service and what this browser keeps of them. Promise: deleted before is deleted.
import { ListNotFound } from '@mxproof/client';
import { mx } from '../shell/api.ts';

export async function deleteLists(ids: readonly number[]): Promise<void> {
  for (const id of ids)
    await mx.lists.delete(id).catch((error: unknown) => {
      if (!(error instanceof ListNotFound)) throw error;
    });
  const { forgetList } = await import('../own-file/own-file.ts');
  for (const id of ids) await forgetList(id);
}
