/** What the demo's company wants its visitors to do, by the names of its pages and events. */
type DemoFunnel = {
  name: string;
  steps: readonly ({ page: string } | { event: string })[];
  /** Null means within one visit. */
  withinDays: number | null;
};

export const demoFunnels: readonly DemoFunnel[] = [
  {
    name: 'From pricing to sign-up',
    steps: [{ page: '/pricing' }, { page: '/signup' }, { event: 'Signup' }],
    withinDays: null,
  },
  {
    name: 'From sign-up to purchase',
    steps: [{ event: 'Signup' }, { page: '/checkout' }, { event: 'Purchase' }],
    withinDays: null,
  },
];
