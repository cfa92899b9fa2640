/** How the statistics of a website are accessed: as a user, or with the secret of its public link. */
export type StatsAccess = {
  /** The headers of every question. */
  headers: Readonly<Record<string, string>>;
  /** The path of the live view's event stream. */
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
