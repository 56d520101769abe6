import type { Ledger } from '../../billing/ledger.ts';
import type { VerifyReport } from '../../billing/verify-ledger.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { LedgerProof, LedgerProofs } from '../../schemas/ledger-proof.ts';
import { isSystem, requireRole } from '../actor.ts';
import type { RunRight } from '../channel/check.ts';
import type { RunProgress } from '../channel/run-progress.ts';

interface LedgerProofDependencies {
  ledger: Pick<Ledger, 'verify'>;
  /** The right to verify by hand, of one process at a time; undefined while another has it. */
  takeRun(name: string): Promise<RunRight | undefined>;
  progress: RunProgress;
  /** For a run without a waiting caller. */
  onError(error: unknown): void;
  now?: Clock;
}

const runName = 'verify-ledger-by-hand';
const proofsName = 'ledger-proofs';
const maxProofs = 20;
const maxDifferences = 20;

interface Stage {
  done: number;
  total: number;
}

/** Proofs of the ledger: the last ones are kept for those who look, and one can be asked for. */
export function createLedgerProofs({ ledger, takeRun, progress, onError, now = nowSeconds }: LedgerProofDependencies) {
  const kept = async () => (await progress.read<{ proofs: LedgerProof[] }>(proofsName)).report?.proofs ?? [];

  /** Proves the ledger and keeps the result. */
  async function verify(actor: Actor, onCheck?: (done: number, total: number) => void): Promise<VerifyReport> {
    requireRole(actor, role.admin);
    const startedAt = performance.now();
    const report = await ledger.verify(onCheck);
    const { ok, checked, differences, differenceCount, strays } = report;
    const proof: LedgerProof = {
      at: now(),
      took_ms: Math.round(performance.now() - startedAt),
      by: isSystem(actor) ? '' : actor.name,
      ok,
      checked,
      difference_count: differenceCount,
      differences: differences.slice(0, maxDifferences),
      strays,
    };
    await progress.write(proofsName, { proofs: [proof, ...(await kept())].slice(0, maxProofs) });
    return report;
  }

  /** As `verify`, for a caller who waits for the beginning only; nothing new begins while a proof is under way. */
  async function start(actor: Actor): Promise<LedgerProofs> {
    requireRole(actor, role.admin);
    const right = await takeRun(runName);
    if (right) {
      await progress.write(runName, { done: 0, total: 0 } satisfies Stage);
      const tell = (done: number, total: number) => {
        progress.write(runName, { done, total } satisfies Stage).catch(onError);
      };
      void verify(actor, tell)
        .catch(onError)
        .finally(() => right.free());
    }
    return list(actor);
  }

  async function list(actor: Actor): Promise<LedgerProofs> {
    requireRole(actor, role.admin);
    const { running, report } = await progress.read<Stage>(runName);
    return { running, done: report?.done ?? 0, total: report?.total ?? 0, proofs: await kept() };
  }

  return { verify, start, list };
}

export type LedgerProofService = ReturnType<typeof createLedgerProofs>;
