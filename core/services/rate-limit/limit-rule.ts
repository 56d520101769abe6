/** Calls in a sliding window, or calls at one time. */
export type LimitRule = WindowRule | RunningRule;

export interface WindowRule {
  kind: 'window';
  /** Whose calls, and which limit: `GA 192.0.2.1`. */
  key: string;
  max: number;
  windowMs: number;
  /** Counted from its beginning like any other, and taken back when it fails. */
  onlySuccess?: boolean;
  /** How much of the window the call takes, tokens for example; 1 where nothing is said. */
  weight?: number;
}

export interface RunningRule {
  kind: 'running';
  key: string;
  max: number;
}

export interface LimitRefusal {
  rule: LimitRule;
  /** Until the call would be let in; unknown for calls at one time, which end when they end. */
  waitMs: number;
  /** What is counted at present. */
  used: number;
}

/** Another length of the window is another count: times to leave would not be in order any more. */
export function countKey(rule: LimitRule): string {
  return rule.kind === 'window' ? `${rule.key} ${rule.windowMs}` : rule.key;
}

export const weightOf = (rule: LimitRule): number => (rule.kind === 'window' ? (rule.weight ?? 1) : 1);

export function retryAfterSeconds({ waitMs }: Pick<LimitRefusal, 'waitMs'>): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
