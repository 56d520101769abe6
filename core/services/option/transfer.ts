import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { definitionOf, isOptionKey, type OptionKey, type OptionSet } from '../../schemas/option.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from './option.ts';

interface OptionTransferDependencies {
  options: Pick<OptionService, 'list' | 'details' | 'get' | 'differs'>;
  audit: Pick<AuditService, 'record'>;
}

export interface OptionImportPlan {
  /** What would change; `setMany` stores it. */
  changes: OptionSet[];
  problems: { key: string; error: AppError }[];
}

/** Settings written to a file, and read from one: an object of keys and values. */
export function createOptionTransfer({ options, audit }: OptionTransferDependencies) {
  /** The file says nothing about how the stored text is laid out. */
  const isStored = (key: string, value: unknown) =>
    typeof value === 'object' && isOptionKey(key) && JSON.stringify(options.get(key)) === JSON.stringify(value);

  return {
    /** What the operator has set; secrets, in clear, leave a trace. */
    async exportAll(actor: Actor, { withSecrets }: { withSecrets: boolean }): Promise<Record<string, unknown>> {
      requireRole(actor, role.root);
      const values: Record<string, unknown> = {};
      for (const { key, has, own } of options.details(actor)) {
        if (!has || !isOptionKey(key) || (definitionOf(key).secret && !withSecrets)) continue;
        values[key] = plainValue(key, own, options);
      }
      const after = { count: Object.keys(values).length, secrets: withSecrets };
      await audit.record(actor, { action: 'option.export', id: '', after });
      return values;
    },
    /** Writes nothing. */
    planImport(actor: Actor, values: Record<string, unknown>): OptionImportPlan {
      const plan: OptionImportPlan = { changes: [], problems: [] };
      for (const [key, value] of Object.entries(values)) {
        const entry = { key, value: typeof value === 'string' ? value : JSON.stringify(value) };
        try {
          if (options.differs(actor, entry) && !isStored(key, value)) plan.changes.push(entry);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          plan.problems.push({ key, error });
        }
      }
      return plan;
    },
  };
}

/** As JSON has it, so that people can read and edit the file. */
function plainValue(key: OptionKey, own: string, options: Pick<OptionService, 'get'>): unknown {
  const { kind, secret } = definitionOf(key);
  if (secret) return options.get(key);
  return kind === 'text' || kind === 'lines' || kind === 'list' ? own : JSON.parse(own);
}
