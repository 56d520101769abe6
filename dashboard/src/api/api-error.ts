/** A refused or failed call; the message is for people, in their language. */
export class ApiError extends Error {
  /** 0 when no response came at all. */
  readonly status: number;
  /** Names the call in the server's log. */
  readonly requestId: string;
  /** What the server said beside the message. */
  readonly data: unknown;
  /** What the server gave as the reason; the message may say it in other words. */
  readonly refusal: string;
  /** With status 429: how long the server asks to wait; 0 when it does not say. */
  readonly retryAfterSeconds: number;
  /** The console says it by itself: the session has ended. */
  readonly isSaid: boolean;

  constructor(
    message: string,
    { status, requestId = '', data, refusal = message, retryAfterSeconds = 0, isSaid = false }: ApiErrorFacts,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.requestId = requestId;
    this.data = data;
    this.refusal = refusal;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isSaid = isSaid;
  }
}

interface ApiErrorFacts {
  status: number;
  requestId?: string;
  data?: unknown;
  refusal?: string;
  retryAfterSeconds?: number;
  isSaid?: boolean;
}
