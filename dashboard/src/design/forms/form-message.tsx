import { Banner } from '../display/banner.tsx';

/** What is wrong with a form as a whole. The error of a field is shown next to the field. */
export function FormMessage({ message }: { message: string | undefined }) {
  return <div role="alert">{message !== undefined && <Banner kind="bad">{message}</Banner>}</div>;
}
