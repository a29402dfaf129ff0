// Something needs somebody: a triangle, as the doctor has it.
export function WarningShape() {
  return (
    <svg className="warning-shape" viewBox="0 0 16 16" aria-hidden="true">
      <path fillRule="evenodd" d="M8 1.2 15.4 14.5H.6ZM7.2 6v4h1.6V6Zm0 5.2v1.6h1.6v-1.6Z" />
    </svg>
  );
}
