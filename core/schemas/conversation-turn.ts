/** How a channel came to serve a call of a conversation: it served the call before, another one did, or it is the first known here. */
export const conversationTurns = ['stayed', 'moved', 'chosen'] as const;
export type ConversationTurn = (typeof conversationTurns)[number];
