import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLargeProvider, paceGroupOf, providerOf } from './provider.ts';
import { PROVIDER_HOSTS } from './provider-table.ts';

const HOST_ENDS = Object.entries(PROVIDER_HOSTS).flatMap(([provider, [, suffixes]]) =>
  suffixes.split(' ').map((suffix) => [suffix, provider] as const),
);

describe('who runs an MX host', () => {
  it.each([
    ['aspmx.l.google.com', 'google'],
    ['gmail-smtp-in.l.google.com', 'google'],
    ['smtp.google.com', 'google'],
    ['ASPMX.L.GOOGLE.COM.', 'google'],
    ['example-com.mail.protection.outlook.com', 'microsoft'],
    ['hotmail-com.olc.protection.outlook.com', 'outlook'],
    ['mx1.hotmail.com', 'outlook'],
    ['eur.olc.protection.outlook.com.', 'outlook'],
    ['example-com.mail.protection.partner.outlook.cn', 'microsoft'],
    ['mail.notolc.protection.outlook.com', 'microsoft'],
    ['mx1.netvigator.com', 'netvigator'],
    ['example-com.a-v1.mx.microsoft', 'microsoft'],
    ['mta5.am0.yahoodns.net', 'yahoo'],
    ['mx01.mail.icloud.com', 'apple'],
    ['mx.zoho.eu', 'zoho'],
    ['mail.protonmail.ch', 'proton'],
    ['in1-smtp.messagingengine.com', 'fastmail'],
    ['mx00.emig.gmx.net', 'gmx'],
    ['mx-ha02.web.de', 'webde'],
    ['mx00.ionos.de', 'ionos'],
    ['mxs.mail.ru', 'mailru'],
    ['mx.yandex.net', 'yandex'],
    ['mx3.qq.com', 'qq'],
    ['163mx01.mxmail.netease.com', 'netease'],
    ['mxn.mxhichina.com', 'aliyun'],
    ['eu-smtp-inbound-1.mimecast.com', 'mimecast'],
    ['mx0a-00123456.pphosted.com', 'proofpoint'],
    ['d12345a.ess.barracudanetworks.com', 'barracuda'],
    ['mx1.hc123-4.eu.iphmx.com', 'cisco'],
    ['cluster5.eu.messagelabs.com', 'broadcom'],
    ['mx1.emailsrvr.com', 'rackspace'],
    ['smtp.secureserver.net', 'godaddy'],
    ['mx1.mail.ovh.net', 'ovh'],
    ['spool.mail.gandi.net', 'gandi'],
    ['smtp-in.orange.fr', 'orange'],
    ['mx00.t-online.de', 'telekom'],
    ['route1.mx.cloudflare.net', 'cloudflare'],
    ['inbound-smtp.eu-west-1.amazonaws.com', 'amazonses'],
    ['mx1.naver.com', 'naver'],
    ['mail.example.org', 'other'],
    ['notgoogle.com', 'other'],
    ['google.com.evil.example', 'other'],
    ['localhost', 'other'],
    ['', 'other'],
  ])('%s: %s', (exchange, provider) => expect(providerOf(exchange)).toBe(provider));

  it('knows at least 40 providers and gateways, each by lower-case words and ends of its own', () => {
    const words = Object.keys(PROVIDER_HOSTS);
    expect(words.length).toBeGreaterThanOrEqual(40);
    const suffixes = HOST_ENDS.map(([suffix]) => suffix);
    expect(new Set(suffixes).size).toBe(suffixes.length);
    for (const word of words) expect(word).toMatch(/^[a-z0-9]+$/);
    for (const suffix of suffixes) expect(suffix).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+){1,4}$/);
  });

  it.each(HOST_ENDS)('mx.%s: %s', (suffix, provider) => {
    expect(providerOf(`mx.${suffix}`)).toBe(provider);
    expect(providerOf(suffix)).toBe(provider);
    expect(providerOf(`not${suffix}`)).not.toBe(provider);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof providerOf(text) === 'string'));
  });
});

it.each([
  ['eu-smtp-inbound-1.mimecast.com', 'mimecast:eu'],
  ['DE-smtp-inbound-2.mimecast.com', 'mimecast:de'],
  ['za-smtp-inbound-1.mimecast.co.za', 'mimecast:za'],
  ['usb-smtp-inbound-1.mimecast.com', 'mimecast:usb'],
  ['service-alpha-inbound-a.mimecast.com', 'mimecast:uk'],
  ['mail.mimecast.com', 'mimecast'],
  ['xx-smtp-inbound-1.mimecast.com', 'mimecast'],
  ['aspmx.l.google.com', 'google'],
  ['eu-smtp-inbound-1.stranger.example', 'other'],
])('connections to %s are counted as those of %s', (host, group) => {
  expect(paceGroupOf(host, providerOf(host))).toBe(group);
});

describe('a large provider', () => {
  it.each([
    'google',
    'microsoft',
    'outlook',
    'yahoo',
    'apple',
    'zoho',
    'comcast',
    'mimecast',
    'duckduckgo',
  ])('%s is one', (word) => {
    expect(isLargeProvider(word)).toBe(true);
  });
  it.each(['other', '', 'ovh', 'cloudflare', 'mailgun', 'constructor'])('%s is none', (word) => {
    expect(isLargeProvider(word)).toBe(false);
  });
});
