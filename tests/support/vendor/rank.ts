/** The response to every fixture's rerank: the second document comes first. */
export const ranks = [
  { index: 1, relevance_score: 0.92 },
  { index: 0, relevance_score: 0.11 },
];
