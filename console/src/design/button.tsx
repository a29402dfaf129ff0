// A button in one of four variants.
import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';

type Variant = 'plain' | 'primary' | 'danger' | 'quiet';

export function Button({
  variant = 'plain',
  ...props
}: ButtonProps & { readonly variant?: Variant; readonly ref?: Ref<HTMLButtonElement> }) {
  return <AriaButton {...props} className="button" {...{ [`data-${variant}`]: '' }} />;
}
