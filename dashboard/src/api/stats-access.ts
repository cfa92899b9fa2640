/** As whom the numbers of a website are asked for: as a user, or with the secret of its public link. */
export type StatsAccess = {
  /** Sent with every question. */
  headers: Readonly<Record<string, string>>;
  /** Where the live view's events come from. */
  livePath: string;
};

export const sessionAccess = (websiteId: number): StatsAccess => ({
  headers: { 'Trackside-Website': String(websiteId) },
  livePath: `/api/websites/${websiteId}/live`,
});

export const shareAccess = (token: string): StatsAccess => ({
  headers: { 'Trackside-Share': token },
  livePath: `/api/share/${encodeURIComponent(token)}/live`,
});
