/** What decides between channels of one priority: their weights alone, or first which are fastest or cost the operator least. */
export const routingStrategies = ['weight', 'speed', 'price'] as const;
export type RoutingStrategy = (typeof routingStrategies)[number];
