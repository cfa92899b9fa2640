import { Banner } from '../display/banner.tsx';

/** What went wrong with a form as a whole; what is wrong with a field stands beside it. */
export function FormMessage({ message }: { message: string | undefined }) {
  return <div role="alert">{message !== undefined && <Banner kind="bad">{message}</Banner>}</div>;
}
