import { LoaderCircle } from 'lucide-react';

/** Decoration beside a text. */
export function Spinner() {
  return <LoaderCircle className="animate-spin" />;
}
