import { AppError } from '../../errors/app-error.ts';
import type { OptionService } from './option.ts';

/**
 * Where people reach this installation, for links that are made without a browser. From the option and never from the Host
 * header, which the client chooses.
 */
export function publicAddress(options: Pick<OptionService, 'get'>): string {
  const address = options.get('ServerAddress');
  if (address === '') throw new AppError('installation.noAddress');
  return address;
}
