/** Through which door the numbers of a website are asked for: as a user, or with the secret of its public link. */
export type StatsDoor = {
  /** Sent with every question. */
  headers: Readonly<Record<string, string>>;
  /** Where the live view's events come from. */
  livePath: string;
};

export const sessionDoor = (websiteId: number): StatsDoor => ({
  headers: { 'Trackside-Website': String(websiteId) },
  livePath: `/api/websites/${websiteId}/live`,
});

export const shareDoor = (token: string): StatsDoor => ({
  headers: { 'Trackside-Share': token },
  livePath: `/api/share/${encodeURIComponent(token)}/live`,
});
