/** A refused or failed call; the message is for people, in their language. */
export class ApiError extends Error {
  /** 0 when no answer came at all. */
  readonly status: number;
  /** Names the call in the server's log. */
  readonly requestId: string;
  /** What the server said beside the message. */
  readonly data: unknown;

  constructor(
    message: string,
    { status, requestId = '', data }: { status: number; requestId?: string; data?: unknown },
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.requestId = requestId;
    this.data = data;
  }
}
