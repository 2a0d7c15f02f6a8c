/** Packages that the tests of the Python client install. */
export const REQUIREMENTS = ['hatchling==1.33.0', 'httpx==0.28.1', 'mypy==2.4.1', 'pydantic==2.14.3', 'pytest==9.2.0'];
