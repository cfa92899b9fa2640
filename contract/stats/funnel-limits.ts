/** How many steps a funnel has, and how many days may lie between its first and its last one. */
export const funnelLimits = { minSteps: 2, maxSteps: 8, minDays: 1, maxDays: 90 } as const;
