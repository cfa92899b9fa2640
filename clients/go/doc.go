// Package trackside counts the visitors of a website with Trackside, through
// the website's own backend.
//
// A [Client] sends page views and events. A [Handler] serves the browser
// script, takes what it sends, and can count pages without a script.
package trackside
