// English, of the question before a large charge.
import { formatCount } from '../design/format.ts';
import { some } from './en.ts';

const credits = (count: number) => some(count, 'credit', 'credits');

export const chargeQuestion = {
  costs: (price: number) => `This costs ${credits(price)}.`,
  costsOf: (price: number, balance: number) =>
    `This costs ${formatCount(price)} of your ${credits(balance)} and leaves ${formatCount(balance - price)}.`,
  refunds: 'Addresses without a clear answer are refunded.',
  agree: (price: number) => `Check for ${credits(price)}`,
};
