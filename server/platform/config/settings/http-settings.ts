import { isIP } from 'node:net';
import * as z from 'zod';
import { origin, port, secret, text } from './setting-schemas.ts';

/** `false`, a number of hops, or the proxies' addresses as Express understands them (`loopback`, `10.0.0.0/8, …`). */
const trustProxy = text.transform((value, context): false | number | string[] => {
  if (value === 'false' || value === '0') return false;
  if (/^\d+$/.test(value)) return Number(value);
  const proxies = value.split(',').map((each) => each.trim());
  if (proxies.every(isProxy)) return proxies;
  context.addIssue({
    code: 'custom',
    message: 'must be false, a number of hops, or addresses separated by commas',
  });
  return z.NEVER;
});

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    bits > 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
  );
}

const hostNames = text.transform((value, context): string[] => {
  const names = value.split(',').map((each) => each.trim());
  const hosts = names.map((name) => (URL.canParse(`http://${name}`) ? new URL(`http://${name}`) : null));
  if (hosts.every((url, index) => url && !/[/:?#@*]/.test(names[index] ?? '')))
    return hosts.map((url) => url?.hostname.replace(/\.$/, '') ?? '');
  context.addIssue({ code: 'custom', message: 'must be host names separated by commas, like mems.example' });
  return z.NEVER;
});

const variables = {
  HOST: text.default('127.0.0.1'),
  PORT: port.default(5000),
  PUBLIC_URL: origin.optional(),
  ALLOWED_HOSTS: hostNames.default([]),
  TRUST_PROXY: trustProxy.default(false),
  HEALTH_TOKEN: secret,
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function toSettings(env: Env) {
  const publicUrl = env.PUBLIC_URL ?? null;
  return {
    host: env.HOST,
    port: env.PORT,
    /** The origin of our links; null: the address the server listens on. */
    publicUrl,
    /** Names that are answered without PUBLIC_URL, besides local ones. */
    allowedHosts: env.ALLOWED_HOSTS,
    isHttps: publicUrl?.startsWith('https:') ?? false,
    trustProxy: env.TRUST_PROXY,
    /** Whether the app can only be reached from this machine. */
    isOnlyLocal: isOnlyLocal(env),
    /** Gives the details of the readiness check to other machines. */
    healthToken: env.HEALTH_TOKEN ?? null,
  };
}

function isOnlyLocal({ HOST, PUBLIC_URL }: Env): boolean {
  const hosts = [HOST, ...(PUBLIC_URL ? [new URL(PUBLIC_URL).hostname] : [])];
  return hosts.every((host) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host));
}

export const httpSettings = { variables, toSettings };
