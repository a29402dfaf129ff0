// One attempt at an event, and its consequence: delivered, sent again later, or given up; and whether the endpoint stays on.
// Promise: the bytes of the first attempt are signed and sent in every other; an attempt whose claim was lost leaves no trace
// unless it delivered.
import type { Context } from '../../flow/context.ts';
import { type CallbackSender, SECRET_DOES_NOT_OPEN, signedHeaders } from '../../flow/send-callback.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { isDelivered } from '../../rules/callback-schedule.ts';
import { delayOfDelivery, whySwitchOff } from '../../rules/delivery-schedule.ts';
import { writeAudit } from '../../store/audit.ts';
import type { ClaimedJob, WebhookJob } from '../../store/jobs.ts';
import { findLists } from '../../store/lists.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Recorded } from '../../worker/start-posts.ts';
import { reschedule } from './schedule-deliveries.ts';
import {
  type DeliveryAttempt,
  type DueDelivery,
  dropPending,
  findDue,
  keepBody,
  lockPending,
  saveDeliveryAttempt,
} from './stored-deliveries.ts';
import { noteFailure, noteSuccess, readEndpointSecrets, switchOff } from './stored-endpoints.ts';
import { answerText, eventBody, messageId } from './webhook-event.ts';

/** How often the delivery of a deleted list checks whether the list was brought back, and one that must wait its turn. */
const RECHECK_SECONDS = 5;

type Claimed = ClaimedJob<WebhookJob>;

/** Null: nothing is to be sent (any more), and the job is over. `not_now`: nothing was sent, and nothing is to be recorded. */
export async function attemptDelivery(
  context: Context,
  box: SecretBox,
  claimed: Claimed,
  post: CallbackSender,
): Promise<DeliveryAttempt | 'not_now' | null> {
  const { deliveryId } = claimed.job;
  const due = await findDue(context.db, deliveryId);
  // One that is resumed later gets its jobs then.
  if (!due?.isActive) {
    await context.jobs.finish(context.db, [claimed.claim]);
    return null;
  }
  if (due.isHidden) return recheckLater(context, claimed);
  const body = due.body ?? (await makeBody(context, deliveryId, due));
  // Its list was deleted meanwhile, perhaps not for good.
  if (body === null) return recheckLater(context, claimed);
  const atSeconds = Math.floor(Date.now() / 1000);
  const beganMs = performance.now();
  const message = { id: messageId(due.uuid, due.test), timestampSeconds: atSeconds, body: Buffer.from(body) };
  const secrets = () => readEndpointSecrets(context.db, due.endpointId, box);
  const headers = await signedHeaders(secrets, message);
  const posted: Awaited<ReturnType<CallbackSender>> =
    headers === null ? SECRET_DOES_NOT_OPEN : await post(due.url, { headers, body: message.body }, () => {});
  if (posted === 'later') return recheckLater(context, claimed);
  if (posted === null) return 'not_now';
  return {
    atSeconds,
    status: posted.status,
    error: posted.error,
    durationMs: Math.round(performance.now() - beganMs),
    answer: posted.answer === undefined ? null : answerText(posted.answer),
  };
}

/** Null: its list, or the delivery itself, is not there now. */
async function makeBody({ db }: Context, deliveryId: number, due: DueDelivery): Promise<string | null> {
  if (due.listId === null) return keepBody(db, deliveryId, eventBody(due, null));
  const list = (await findLists(db, [due.listId])).get(due.listId);
  return list ? keepBody(db, deliveryId, eventBody(due, list)) : null;
}

async function recheckLater({ db, jobs }: Context, { job, claim }: Claimed): Promise<null> {
  await db.transaction(async (tx) => {
    const ours = await jobs.finish(tx, [claim]);
    if (ours.has(claim.jobId)) await jobs.enqueueWebhooks(tx, [job], RECHECK_SECONDS);
  });
  return null;
}

/** Null: another node has the claim, or the delivery is over. */
export async function recordDelivery(
  { db, jobs }: Context,
  { job, claim }: Claimed,
  attempt: DeliveryAttempt,
): Promise<Recorded | null> {
  const { deliveryId, accountId } = job;
  return db.transaction(async (tx) => {
    const pending = await lockPending(tx, deliveryId);
    const ours = await jobs.finish(tx, [claim]);
    if (!pending) return null;
    const { endpointId: id, made, ageSeconds } = pending;
    if (attempt.status !== null && isDelivered(attempt.status)) {
      await noteSuccess(tx, id);
      await saveDeliveryAttempt(tx, deliveryId, { attempt, state: 'delivered', nextAfterSeconds: null });
      return 'delivered';
    }
    if (!ours.has(claim.jobId)) return null;
    const { failingSeconds } = await noteFailure(tx, id);
    const why = whySwitchOff(attempt.status, failingSeconds);
    const nextAfterSeconds = why === null ? delayOfDelivery(made + 1, ageSeconds) : null;
    const state = nextAfterSeconds === null ? 'failed' : 'pending';
    await saveDeliveryAttempt(tx, deliveryId, { attempt, state, nextAfterSeconds });
    if (why !== null) {
      await switchOff(tx, id, why);
      await writeAudit(tx, THE_SERVICE, {
        ...{ action: 'webhook.changed', accountId, subjectId: id },
        changes: { off: [null, why] },
      });
      await dropPending(tx, id);
      await reschedule(tx, jobs, { id, accountId });
    }
    if (nextAfterSeconds === null) return 'failed';
    await jobs.enqueueWebhooks(tx, [job], nextAfterSeconds);
    return 'again';
  });
}
