import type { Database } from '../../database/connect.ts';
import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { SignIn } from '../../schemas/session.ts';
import { type User, usernameKey, userStatus } from '../../schemas/user.ts';
import { findByEmail } from '../account/email.ts';
import { hashKnownPassword, spendVerification, verifyPassword } from '../account/password.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from '../option/option.ts';
import type { KnownDevices } from './known-device.ts';
import { isKnownPlace } from './place.ts';
import type { SignInThrottle } from './throttle.ts';
import type { TwoFactorService } from './two-factor.ts';

interface SignInDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  audit: Pick<AuditService, 'record'>;
  twoFactors: Pick<TwoFactorService, 'isOn' | 'verify'>;
  throttle: SignInThrottle;
  devices: KnownDevices;
  /** Begins the session of a user who has proven to be one. */
  open(row: UserRow, caller: SignInOrigin): Promise<SignedIn>;
  now: Clock;
}

export interface SignInOrigin {
  /** Of the client, as far as it can be trusted. */
  address: string;
  userAgent: string;
  /** What the browser kept of an earlier sign-in. */
  device?: string | undefined;
  /** Asked of a locked account only: whether a human check of this very call proves a person. */
  proveHuman?(): Promise<boolean>;
}

export interface SignedIn {
  /** The secret of the cookie; only its hash is stored. */
  sessionId: string;
  /** For the browser to keep, so that it is known again. */
  device: string;
  user: User;
}

/** The first step is done; what is in it comes back with the second one. */
export class SecondStep extends AppError {
  readonly pending: string;

  constructor(pending: string) {
    super('twoFactor.needed');
    this.pending = pending;
  }
}

/** Who has taken the first step, until when it counts, and the session version it was taken with. */
interface Pending {
  id: number;
  version: number;
  until: number;
}

/** Time to find the telephone. */
export const secondStepSeconds = 300;
const pendingPlace = 'sign-in.second-step';

/** How a caller proves to be a user: name and password, then a code where the account asks for one. */
export function createSignIn(dependencies: SignInDependencies) {
  const { database, secretBox, options, audit, twoFactors, throttle, devices, open, now } = dependencies;

  /** One response for an unknown name, a wrong password and a banned user, after the same work. */
  async function signIn({ username, password }: SignIn, caller: SignInOrigin): Promise<SignedIn> {
    if (!options.get('PasswordLoginEnabled')) throw new AppError('session.passwordLoginOff');
    const accounts = await findByName(username);
    // Of an unknown name the same work is done as of a wrong password.
    for (const row of accounts.length === 0 ? [undefined] : accounts) {
      if (await provesPassword(row, { username, password }, caller)) return enter(row as UserRow, caller);
    }
    throw new AppError('session.wrongCredentials');
  }

  async function provesPassword(row: UserRow | undefined, { username, password }: SignIn, caller: SignInOrigin) {
    // Name and e-mail address of one account are counted together.
    const account = row ? `#${row.id}` : usernameKey(username);
    const device = row && devices.keyFor(caller.device, row);
    const guess = { account, address: caller.address, device, version: row?.session_version ?? 0 };
    const { isLocked } = await throttle.begin(guess);
    if (isLocked && device === undefined) await requireUnlocked(row, caller);
    const isRight = await isRightPassword(password, row);
    if (row && isRight && row.status === userStatus.enabled) {
      await throttle.succeeded(guess);
      return true;
    }
    await throttle.failed(guess);
    await recordFailure(row, caller);
    return false;
  }

  /**
   * Strangers who guess close the account to each other only: a person who proves to be one, a browser or a place the owner signed in
   * from before, a new password by mail or by an admin still open it, and users who are signed in stay so.
   */
  async function requireUnlocked(row: UserRow | undefined, caller: SignInOrigin): Promise<void> {
    if (row && (await isKnownPlace(database, { userId: row.id, address: caller.address }))) return;
    if (!(await caller.proveHuman?.())) throw new AppError('session.locked');
  }

  async function isRightPassword(password: string, row: UserRow | undefined): Promise<boolean> {
    if (!row?.password) {
      await spendVerification(password);
      return false;
    }
    const { ok, needsRehash } = await verifyPassword(password, row.password);
    if (ok && needsRehash) {
      const renewed = await hashKnownPassword(password);
      // The former hash is in the condition: a password changed at this moment stays changed.
      await database.users.update({ password: renewed }, { where: { id: row.id, password: row.password } });
    }
    return ok;
  }

  /** For a caller who has proven to be this user, also through another service. Throws SecondStep when a code is asked for, too. */
  async function enter(row: UserRow, caller: SignInOrigin): Promise<SignedIn> {
    if (!(await twoFactors.isOn(row.id))) return open(row, caller);
    const pending: Pending = { id: row.id, version: row.session_version, until: now() + secondStepSeconds };
    throw new SecondStep(secretBox.encrypt(JSON.stringify(pending), pendingPlace));
  }

  /** The second step, with what the first one left in the browser. */
  async function finish(pending: string, code: string, caller: SignInOrigin): Promise<SignedIn> {
    const { id, version } = readPending(pending);
    const row = await database.users.findOne({ where: { id, session_version: version, deleted_at: null }, raw: true });
    if (!row || row.status !== userStatus.enabled) throw new AppError('twoFactor.expired');
    try {
      await twoFactors.verify(row, code, caller.address);
    } catch (error) {
      if (error instanceof AppError) await recordFailure(row, caller);
      throw error;
    }
    return open(row, caller);
  }

  function readPending(text: string): Pending {
    try {
      const pending = JSON.parse(secretBox.decrypt(text, pendingPlace)) as Pending;
      if (pending.until > now()) return pending;
    } catch {
      // Made up, cut, or from another installation: the same response for all.
    }
    throw new AppError('twoFactor.expired');
  }

  async function recordFailure(row: UserRow | undefined, { address }: SignInOrigin): Promise<void> {
    // People type their password into the wrong field: a name that is not an account's is not kept.
    const actor = { id: 0, name: row?.username ?? '', role: 0, address };
    await audit.record(actor, { action: 'session.signInFailed', id: row?.id ?? '' });
  }

  /**
   * A name, or an e-mail address. What has an @ is an address first: no name that looks like it comes before the account that has it,
   * and a user who has had such a name since an import can still sign in with its own password.
   */
  async function findByName(written: string): Promise<UserRow[]> {
    const key = usernameKey(written);
    const byEmail = key.includes('@') ? await findByEmail(database, written) : undefined;
    const byName = await database.users.findOne({ where: { username_key: key, deleted_at: null }, raw: true });
    const isOther = byName && byName.id !== byEmail?.id;
    return [...(byEmail ? [byEmail] : []), ...(isOther ? [byName] : [])];
  }

  return { signIn, enter, finish };
}
