// A button in one of four looks.
import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';

type Look = 'plain' | 'primary' | 'danger' | 'quiet';

export function Button({
  look = 'plain',
  ...props
}: ButtonProps & { readonly look?: Look; readonly ref?: Ref<HTMLButtonElement> }) {
  return <AriaButton {...props} className="button" {...{ [`data-${look}`]: '' }} />;
}
