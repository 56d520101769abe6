import { join, resolve } from 'node:path';
import type { Config } from '../../../core/config.ts';
import type { Context } from '../../context.ts';
import type { MoveFlags } from './move-flags.ts';

interface WayOn {
  config: Config;
  target: Config['database'];
  flags: MoveFlags;
}

/** What is left to do: the setting of every server, and the key that must not be forgotten. */
export async function printWayOn(context: Context, { config, target, flags }: WayOn): Promise<void> {
  const { output, speak } = context;
  const { shownDsn } = await import('../../../core/services/moving/database/place.ts');
  output.say(
    config.sources.CRYPTO_SECRET === 'default'
      ? speak('dbMove.keyStays', { key: join(config.dataDirectory, 'master.key') })
      : speak('dbMove.secretStays'),
  );
  const line = target.engine === 'postgres' ? `SQL_DSN=${shownDsn(target)}` : `SQL_DSN= SQLITE_PATH=${target.file}`;
  output.say(speak('dbMove.setDsn', { line }));
  if (target.engine === 'sqlite' || !(await isWanted(context, flags))) return;
  if (config.sources.SQL_DSN === 'environment') return output.say(speak('dbMove.dsnOutranked'));
  const { setInEnvFile } = await import('../../env-file.ts');
  const file = resolve('.env');
  setInEnvFile(file, 'SQL_DSN', target.url);
  output.say(speak('dbMove.envWritten', { file }));
}

/** Without the flag, only a person in front of a screen can agree. */
async function isWanted({ input, output, speak }: Context, { writeEnv, yes }: MoveFlags): Promise<boolean> {
  if (writeEnv) return true;
  if (yes || output.json || !input.interactive) return false;
  return input.confirm(speak('dbMove.askEnv', { file: resolve('.env') }));
}
