import { AppError } from '../errors/app-error.ts';
import { parseIpList } from '../lib/ip-list.ts';
import { coded } from '../text/coded.ts';
import { list } from './value.ts';

export function webAddress(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return value.replace(/\/+$/, '');
  throw new AppError('config.invalid', { name, value, allowed: coded('input.originAddress') });
}

/** A wrong one would count all clients as the proxy, and a limit of one as that of all. */
export function networks(name: string, value: string | undefined): string[] {
  const [wrong] = parseIpList(value ?? '').invalid;
  if (wrong === undefined) return list(value);
  throw new AppError('config.invalid', { name, value: wrong, allowed: coded('input.networks') });
}

const hostName = /^(?=.*[a-z_])[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i;

/** A wrong one would match nothing: the upstream it was meant for would be refused, without a word about the reason. */
export function hosts(name: string, value: string | undefined): string[] {
  const isHost = (entry: string) => {
    const host = entry.replace(/:\d{1,5}$/, '');
    const addresses = [entry, host, ...(/^\[(.*:.*)\]$/.exec(host)?.slice(1) ?? [])];
    return hostName.test(host) || addresses.some((text) => parseIpList(text).invalid.length === 0);
  };
  const wrong = list(value).find((entry) => !isHost(entry));
  if (wrong === undefined) return list(value);
  throw new AppError('config.invalid', { name, value: wrong, allowed: coded('input.hosts') });
}

/** It may have a password. */
export function proxyAddress(name: string, value: string | undefined): string | undefined {
  if (value === undefined || (URL.canParse(value) && /^(https?|socks5h?):$/.test(new URL(value).protocol)))
    return value;
  throw new AppError('config.invalid', { name, value: '********', allowed: coded('input.proxyAddress') });
}

export function redisAddress(value: string | undefined): string | undefined {
  // The path is the number of a database.
  const isRedis = (text: string) => /^\/?\d*$/.test(new URL(text).pathname);
  if (value === undefined || (/^rediss?:/.test(value) && URL.canParse(value) && isRedis(value))) return value;
  throw new AppError('config.invalid', {
    name: 'REDIS_CONN_STRING',
    value: '********',
    allowed: coded('input.redisAddress'),
  });
}
