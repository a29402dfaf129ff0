declare module 'sns-validator' {
  export default class MessageValidator {
    validate(message: object, answer: (error: Error | null) => void): void;
  }
}
