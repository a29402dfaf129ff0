// All text of the console. A translation is another object of the same shape, chosen here.
import { en } from './en.ts';

export type Messages = typeof en;

export const messages: Messages = en;
