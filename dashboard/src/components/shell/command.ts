import type { SearchKind } from '../../../../core/schemas/search.ts';

type CommandGroup = 'page' | 'action' | SearchKind | 'setting' | 'document';

export interface Command {
  group: CommandGroup;
  /** Differs from that of any other command. */
  key: string;
  name: string;
  /** Behind the name: whose it is. */
  detail?: string;
  run: () => void;
}
