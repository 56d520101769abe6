export const channelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const;
