// A message of Amazon SNS: its shape, whose it is, and what its signature covers. Pure.
import { type KeyObject, verify } from 'node:crypto';
import { field } from './read-events.ts';

export interface Topic {
  readonly arn: string;
  readonly region: string;
  /** The one host that its certificates and subscriptions are at. */
  readonly host: string;
}

const ARN = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d{1,2}):\d{12}:[A-Za-z0-9_-]+$/;
/** The account's number and the longest name of a topic (256 characters) are in it. */
const ARN_MAX_CHARACTERS = 320;

/** Null: it names no topic. Those of FIFO topics, which cannot send to a URL, are none. */
export function topicOf(arn: string): Topic | null {
  const [, partition, region = ''] = (arn.length <= ARN_MAX_CHARACTERS && ARN.exec(arn)) || [];
  if (partition === undefined) return null;
  return { arn, region, host: `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}` };
}

/** Names as SNS has them. */
export interface SnsMessage {
  readonly Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  readonly Message: string;
  readonly MessageId: string;
  /** Empty, and not signed: none. */
  readonly Subject: string | null;
  readonly SubscribeURL: string;
  readonly Timestamp: string;
  readonly Token: string;
  readonly TopicArn: string;
  readonly Signature: string;
  readonly SignatureVersion: '1' | '2';
  readonly SigningCertURL: string;
}

const NEEDED = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Signature', 'SigningCertURL'] as const;
const TYPES: readonly unknown[] = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'];

/** Null: it is none of this topic, or names another host than Amazon's of the topic's region. */
export function readSnsMessage(json: unknown, topic: Topic): SnsMessage | null {
  const message = json as SnsMessage;
  if (!TYPES.includes(field(json, 'Type'))) return null;
  const isNotification = message.Type === 'Notification';
  const needed = isNotification ? NEEDED : [...NEEDED, 'SubscribeURL', 'Token'];
  if (!needed.every((name) => typeof field(json, name) === 'string')) return null;
  if (!['1', '2'].includes(String(field(json, 'SignatureVersion')))) return null;
  const subject = field(json, 'Subject') ?? null;
  if (subject !== null && typeof subject !== 'string') return null;
  if (message.TopicArn !== topic.arn || !isCertificateUrl(message.SigningCertURL, topic)) return null;
  return isNotification || isSubscribeUrl(message.SubscribeURL, topic)
    ? { ...message, Subject: subject, SignatureVersion: String(message.SignatureVersion) as '1' | '2' }
    : null;
}

const NAME = /^[A-Za-z0-9_-]{1,128}\.pem$/;
const QUERY = /^\?[\w.~:%&=+,/-]{1,2000}$/;

/** The text itself, as no two parsers can read it differently. */
export function isCertificateUrl(url: string, { host }: Topic): boolean {
  const beginning = `https://${host}/`;
  return url.startsWith(beginning) && NAME.test(url.slice(beginning.length));
}

function isSubscribeUrl(url: string, { host }: Topic): boolean {
  const beginning = `https://${host}/`;
  return url.startsWith(beginning) && QUERY.test(url.slice(beginning.length));
}

export function isSigned(message: SnsMessage, key: KeyObject): boolean {
  const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256';
  const signature = Buffer.from(message.Signature, 'base64');
  return verify(algorithm, Buffer.from(signedText(message)), key, signature);
}

/** Name and value of these, a line each, in this order. */
function signedText(message: SnsMessage): string {
  const { Type, Message, MessageId, Subject, SubscribeURL, Timestamp, Token, TopicArn } = message;
  const fields: Readonly<Record<string, string | null>> =
    Type === 'Notification'
      ? { Message, MessageId, Subject, Timestamp, TopicArn, Type }
      : { Message, MessageId, SubscribeURL, Timestamp, Token, TopicArn, Type };
  return Object.entries(fields)
    .map(([name, value]) => (value === null ? '' : `${name}\n${value}\n`))
    .join('');
}
