export type TaskPlatform = 'suno' | 'mj' | 'video';

/** What multiplies the price of a job: seconds, and the factor of a size. */
export interface TaskUnits {
  calls?: number;
  imageFactor?: number;
}

/** A paid job as a client asked for it, checked. */
export interface TaskJob {
  /** `MUSIC`. */
  action: string;
  /** What it is routed and priced by: `suno_music`. */
  model: string;
  /** What goes to the vendor. */
  body: Record<string, unknown>;
  /** What the client wrote, for lists. */
  input: string;
  /** How many units of its price the job takes: seconds, and the factor of their size. One when left out. */
  extras?: TaskUnits;
  /** What of the request is shown later. */
  shown?: Record<string, string>;
  /** The client sent a form, whose files are not in `body`. */
  isForm?: boolean;
  /** Where vendors have several ways to the same action: the path of this one. */
  path?: string;
  /** The earlier job that this one goes on from, by the vendor's name for it. */
  follows?: string;
  /** Whether that one must have succeeded. */
  followsSuccess?: boolean;
  /** A part of the earlier job, which must be one of its own. */
  followsClip?: string;
  /** Where the client wants to be told that the job has ended. */
  notifyUrl?: string;
}
