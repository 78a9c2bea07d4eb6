package dev.hapax;

/**
 * One record about a person.
 *
 * @param type {@code run}, {@code effect}, {@code event}, {@code resource}, {@code comment} or
 *     {@code erasure}
 * @param content can be written as JSON
 */
public record SubjectRecord(String type, Object content) {}
