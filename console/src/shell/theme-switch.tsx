// Which theme is shown.
import { Choice } from '../design/choice.tsx';
import { messages } from '../messages/messages.ts';
import { THEMES, useTheme } from './theme.ts';

const OPTIONS = THEMES.map((theme) => [theme, messages.theme[theme]] as const);

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return <Choice title={messages.theme.title} options={OPTIONS} value={theme} onChange={setTheme} />;
}
