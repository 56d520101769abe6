import { AppError } from '../../errors/app-error.ts';
import type { Caller, CallerService } from '../../services/caller.ts';
import { isRealtimeSecret, type RealtimeSecretService, type SecretContent } from '../../services/realtime-secret.ts';

export interface RealtimeCallers {
  callers: Pick<CallerService, 'authenticate' | 'forToken'>;
  secrets: Pick<RealtimeSecretService, 'open'>;
}

/** Whose session it is: that of an API key, or of a client secret, which ends with its token. */
export async function realtimeCallerOf(
  credential: string,
  address: string,
  { callers, secrets }: RealtimeCallers,
): Promise<{ caller: Caller; secret: SecretContent | undefined }> {
  if (!isRealtimeSecret(credential)) {
    return { caller: await callers.authenticate(credential, address), secret: undefined };
  }
  const secret = await secrets.open(credential);
  const { caller, objection } = await ownerOf(secret, address, callers);
  if (objection) throw objection;
  return { caller, secret };
}

async function ownerOf(
  { tokenId, pinnedChannelId }: { tokenId: number; pinnedChannelId: number | undefined },
  address: string,
  callers: Pick<CallerService, 'forToken'>,
) {
  try {
    return await callers.forToken(tokenId, { address, pinnedChannelId });
  } catch (error) {
    // Its token was deleted.
    if (error instanceof AppError && error.code === 'object.notFound') throw new AppError('realtime.secretUnknown');
    throw error;
  }
}
