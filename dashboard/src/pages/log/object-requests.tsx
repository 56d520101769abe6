import { useMemo } from 'react';
import type { LogFilters } from '../../api/log.ts';
import { LogPage } from './log-page.tsx';

type Selection = Partial<Pick<LogFilters, 'channel' | 'username' | 'token_name' | 'model_name'>>;

/** The requests of one object: the page of the log, narrowed to it. */
export function ObjectRequests({ channel, username, token_name, model_name }: Selection) {
  const fixed = useMemo(() => {
    const given = Object.entries({ channel, username, token_name, model_name }).filter(([, value]) => value);
    return Object.fromEntries(given) as Partial<LogFilters>;
  }, [channel, username, token_name, model_name]);
  return <LogPage fixed={fixed} />;
}
