/** What a service needs of the ledger: credits and debits other than consumption. */
export interface CreditEntry {
  userId: number;
  /** The quota of this token instead of the user's balance. */
  tokenId?: number;
  kind: 'initial' | 'gift' | 'admin' | 'token_grant';
  /** Unique within its kind: a repeated entry books nothing. */
  ref: string;
  /** Signed. */
  amount: number;
  actorId: number;
  note?: string;
}

export interface Credits {
  /** One transaction of the ledger's own connection: call it after your own transaction, never inside. */
  credit(entry: CreditEntry): Promise<boolean>;
}
