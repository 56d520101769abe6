export const role = { guest: 0, user: 1, admin: 10, root: 100 } as const;

/** Who calls a service. */
export interface Actor {
  id: number;
  name: string;
  role: number;
  /** Where the call comes from, for the audit trail; empty for the command line and for jobs. */
  address: string;
}

/** The command line, the terminal UI and jobs: they have the database itself, so they may do everything. */
export const systemActor: Actor = Object.freeze({ id: 0, name: 'system', role: role.root, address: '' });

/** A caller who is not signed in. */
export const guestActor: Actor = Object.freeze({ id: 0, name: '', role: role.guest, address: '' });
