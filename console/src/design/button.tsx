// A button in one of four looks.
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';

type Look = 'plain' | 'primary' | 'danger' | 'quiet';

export function Button({ look = 'plain', ...props }: ButtonProps & { readonly look?: Look }) {
  return <AriaButton {...props} className="button" {...{ [`data-${look}`]: '' }} />;
}
