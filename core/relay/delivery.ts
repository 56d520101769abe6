import type { Usage } from '../canonical/usage.ts';
import type { AppError } from '../errors/app-error.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';

/** How an answer that reached the client (or began to) ended. What comes last is written only after the bill is settled. */
export type DeliveryEnd =
  | { kind: 'complete'; finish: (usage: Usage) => void }
  /** The upstream broke off after the first byte: the client sees an error, the delivered part is charged. */
  | { kind: 'broken'; error: UpstreamError }
  /** We ended it: balance used up, or the server is stopping. */
  | { kind: 'stopped'; error: AppError }
  | { kind: 'clientGone' };

/** Lets the outside end a call, at whatever step it is. */
export class DeliveryControl {
  private onStop: ((error: AppError) => void) | undefined;
  stoppedBy: AppError | undefined;

  /** The step under way; replaces the one before. Called at once when the call was stopped between two steps. */
  attach(onStop: (error: AppError) => void): void {
    this.onStop = onStop;
    if (this.stoppedBy) onStop(this.stoppedBy);
  }

  stop(error: AppError): void {
    if (this.stoppedBy) return;
    this.stoppedBy = error;
    this.onStop?.(error);
  }
}
