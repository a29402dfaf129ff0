// The keys that SNS signs with, from the certificates at Amazon's hosts.
// Promise: at most MAX_KEPT are kept, a day each and never beyond their time, and at most MAX_FETCHES are under way.
import { type KeyObject, X509Certificate } from 'node:crypto';
import type { FetchPublic } from '../../../callback/fetch-public.ts';
import { isCertificateUrl, type Topic } from './sns-message.ts';

const MAX_KEPT = 20;
const MAX_FETCHES = 4;
const KEPT_SECONDS = 24 * 3_600;
const LEAST_RSA_BITS = 2_048;
const MAX_CERTIFICATES = 5;
const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,10000}-----END CERTIFICATE-----/g;

export interface Certificates {
  /** `refused`: there is no certificate of SNS. `unavailable`: not now. */
  keyOf(
    url: string,
    topic: Topic,
    how: { readonly fetchPublic: FetchPublic; readonly nowSeconds: number },
  ): Promise<KeyObject | 'refused' | 'unavailable'>;
}

interface Kept {
  readonly key: KeyObject;
  readonly untilSeconds: number;
}

export function createCertificates(): Certificates {
  /** By URL, the oldest first. */
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Kept | 'refused' | 'unavailable'>>();

  async function load(url: string, topic: Topic, fetchPublic: FetchPublic, nowSeconds: number) {
    const answer = await fetchPublic(url);
    if (answer === null || answer.status >= 500) return 'unavailable';
    const read = answer.status === 200 ? readCertificate(answer.body, topic, nowSeconds) : null;
    if (read === null) return 'refused';
    kept.set(url, read);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return read;
  }

  return {
    async keyOf(url, topic, { fetchPublic, nowSeconds }) {
      if (!isCertificateUrl(url, topic)) return 'refused';
      const known = kept.get(url);
      if (known && known.untilSeconds > nowSeconds) return known.key;
      kept.delete(url);
      let loading = underWay.get(url);
      if (loading === undefined) {
        if (underWay.size >= MAX_FETCHES) return 'unavailable';
        loading = load(url, topic, fetchPublic, nowSeconds).finally(() => underWay.delete(url));
        underWay.set(url, loading);
      }
      const loaded = await loading;
      return typeof loaded === 'string' ? loaded : loaded.key;
    },
  };
}

/** Null: it is not valid now, not of SNS in the topic's region, or cannot sign. */
export function readCertificate(pem: Buffer, topic: Topic, nowSeconds: number): Kept | null {
  try {
    const chain = (pem.toString('latin1').match(PEM) ?? [])
      .slice(0, MAX_CERTIFICATES)
      .map((each) => new X509Certificate(each));
    const [leaf] = chain;
    if (!leaf || leaf.ca || !namesOf(topic).some((name) => leaf.checkHost(name) !== undefined)) return null;
    if (!chain.every((each) => isValidAt(each, nowSeconds))) return null;
    // Amazon's files have the first alone; where there are more, each was issued by the next.
    const isChain = chain.every((each, at) => {
      const issuer = chain[at + 1];
      return !issuer || (issuer.ca && each.checkIssued(issuer) && each.verify(issuer.publicKey));
    });
    const { publicKey: key } = leaf;
    if (!isChain || key.asymmetricKeyType !== 'rsa') return null;
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_RSA_BITS) return null;
    const untilSeconds = Math.min(nowSeconds + KEPT_SECONDS, leaf.validToDate.getTime() / 1_000);
    return { key, untilSeconds };
  } catch {
    return null;
  }
}

function isValidAt({ validFromDate, validToDate }: X509Certificate, nowSeconds: number): boolean {
  return validFromDate.getTime() <= nowSeconds * 1_000 && nowSeconds * 1_000 < validToDate.getTime();
}

/** That Amazon issues them for, as its own client for Java lists them. */
function namesOf({ region, host }: Topic): readonly string[] {
  if (host.endsWith('.cn')) return [`sns-${region}.amazonaws.com.cn`, host];
  if (region.startsWith('us-gov-')) return ['sns-us-gov-west-1.amazonaws.com', host];
  return ['sns.amazonaws.com', `sns-signing.${region}.amazonaws.com`, host];
}
