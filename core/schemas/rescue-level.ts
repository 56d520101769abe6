/** How far another upstream may go on with a stream that broke off: not at all, only where nothing can differ, or by being asked to. */
export const rescueLevels = ['off', 'exact', 'any'] as const;
export type RescueLevel = (typeof rescueLevels)[number];

export const isRescueLevel = (value: unknown): value is RescueLevel => rescueLevels.some((level) => level === value);
