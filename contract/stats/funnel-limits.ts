/** How many steps a funnel has, and how many days may be between its first and its last step. */
export const funnelLimits = { minSteps: 2, maxSteps: 8, minDays: 1, maxDays: 90 } as const;
