import type { Demo } from './create-demo.ts';

export type DemoNote = { day: string; text: string };

/** The campaign that began shortly before today, whatever the length of the demo. */
const campaign = { name: 'year-two-offer', text: 'Newsletter: an offer for the second year' };

/** Returns the notes that someone at the demo's company would have written. */
export function planNotes({ days, campaigns, viralDay }: Demo): DemoNote[] {
  const { firstIndex } = campaigns.find(({ name }) => name === campaign.name)!;
  return [
    { day: viralDay, text: 'Front page of Hacker News: “Why we left the cloud”' },
    { day: days[firstIndex]!.day, text: campaign.text },
  ];
}
