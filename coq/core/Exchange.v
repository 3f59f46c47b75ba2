(** * REWRITING, exchange: queries are about bags, so equal bags may stand for each other *)
From Tallystick.core Require Export Naming Summaries.

Lemma flat_map_both {A B} (f g : A -> list B) l k : (forall x, Permutation (f x) (g x)) -> Permutation l k -> Permutation (flat_map f l) (flat_map g k).
Proof.
  intros H P. transitivity (flat_map g l); [|now apply Permutation_flat_map]. clear P. induction l as [|x l IH]; cbn [flat_map]; auto. now apply Permutation_app.
Qed.
Lemma filter_both {A} (p r : A -> bool) l k : (forall x, p x = r x) -> Permutation l k -> Permutation (filter p l) (filter r k).
Proof. intros H P. rewrite (filter_ext p r H). clear H. induction P; cbn [filter]; [constructor|destruct (r x); auto|destruct (r x), (r y); auto; constructor|etransitivity; eauto]. Qed.
Lemma map_both {A B} (f g : A -> B) l k : (forall x, f x = g x) -> Permutation l k -> Permutation (map f l) (map g k).
Proof. intros H P. rewrite (map_ext f g H). now apply Permutation_map. Qed.
Lemma nodup_both (l k : list row) : Permutation l k -> Permutation (nodup row_eq_dec l) (nodup row_eq_dec k).
Proof. intros P. apply NoDup_Permutation; try apply NoDup_nodup. intros x. rewrite !nodup_In. split; apply Permutation_in; auto. now symmetry. Qed.

Section Exchange.
  Variables (w : world) (ts : string -> list row).
  Hypothesis L : lawful w.
  Hypothesis T : forall t, Permutation (tables w t) (ts t).
  Let v := {| tables := ts; functions := functions w; of_bags := of_bags w; ties := ties w |}.
  Lemma same_value (x : expression) : forall rs, value_of w rs x = value_of v rs x
  with same_answer (q : query) : forall rs, Permutation (answer w rs q) (answer v rs q).
  Proof.
    - intros rs. destruct x as [i j|u|a b|a b|r a b|n k s es|c a b|a b|a b|a|a|c a b|q|q]; cbn [value_of]; try reflexivity; try (now rewrite !same_value).
      + replace (map (value_of w rs) es) with (map (value_of v rs) es); [reflexivity|]. induction es as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite same_value, IH.
      + pose proof (same_answer q rs) as P. destruct (answer w rs q), (answer v rs q); auto; [now apply Permutation_nil in P|symmetry in P; now apply Permutation_nil in P].
      + exact (folded_function w L Single _ _ (same_answer q rs)).
    - intros rs. destruct q as [u|vs|c q|es q|c p q|n c p q|p q|q|es cs q|g ps os q].
      + apply T.
      + apply Permutation_refl.
      + cbn [answer]. apply filter_both; [intros r; now rewrite same_value|apply same_answer].
      + cbn [answer]. apply map_both; [|apply same_answer]. intros r. clear -same_value. induction es as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite same_value, IH.
      + cbn [answer]. apply flat_map_both; [|apply same_answer]. intros l. apply filter_both; [intros r; now rewrite same_value|]. apply Permutation_map, same_answer.
      + cbn [answer]. apply flat_map_both; [|apply same_answer]. intros l.
        assert (P : Permutation (filter (fun r => is_true (value_of w (r :: rs) c)) (map (app l) (answer w (l :: rs) q))) (filter (fun r => is_true (value_of v (r :: rs) c)) (map (app l) (answer v (l :: rs) q)))).
        { apply filter_both; [intros r; now rewrite same_value|]. apply Permutation_map, same_answer. }
        destruct (filter _ _) as [|x xs]; destruct (filter _ _) as [|y ys]; auto; [now apply Permutation_nil in P|symmetry in P; now apply Permutation_nil in P].
      + cbn [answer]. now apply Permutation_app.
      + cbn [answer]. apply nodup_both, same_answer.
      + rewrite !answer_aggregate.
        assert (KEYS : forall r : row, map (value_of w (r :: rs)) es = map (value_of v (r :: rs)) es).
        { intros r. clear -same_value. induction es as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite same_value, IH. }
        assert (CALLS : forall l k, Permutation l k -> map (call_of w rs l) cs = map (call_of v rs k) cs).
        { intros l k P. clear -same_value L P. induction cs as [|[[[f d] c] a] cs IH]; cbn [map]; [reflexivity|]. rewrite IH. f_equal. clear IH. unfold call_of. cbv zeta.
          assert (X : Permutation (map (fun r : row => map (value_of w (r :: rs)) a) (filter (fun r => is_true (value_of w (r :: rs) c)) l))
            (map (fun r : row => map (value_of v (r :: rs)) a) (filter (fun r => is_true (value_of v (r :: rs) c)) k))).
          { apply map_both; [|apply filter_both; auto; intros r; now rewrite same_value]. intros r. clear -same_value. induction a as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite same_value, IH. }
          assert (Y : forall l, summary v f l = summary w f l) by (intros; destruct f; reflexivity). rewrite Y.
          apply (summary_same w L). destruct d; [now apply nodup_both|exact X]. }
        unfold grouped. cbv zeta. destruct es as [|x es']; [rewrite (CALLS _ _ (same_answer q rs)); apply Permutation_refl|].
        apply map_both; [|apply nodup_both, map_both; [exact KEYS|apply same_answer]]. intros k. f_equal. apply CALLS. apply filter_both; [intros r; now rewrite KEYS|apply same_answer].
      + cbn [answer]. change (ties v g) with (ties w g).
        match goal with |- Permutation (numbered _ _ (ties w g ?l)) (numbered _ _ (ties w g ?k)) => rewrite (ties_same w L g l k); [apply Permutation_refl|] end.
        apply map_both; [|apply same_answer]. intros r. f_equal. f_equal.
        * clear -same_value. induction ps as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite same_value, IH.
        * clear -same_value. induction os as [|[x u] es IH]; cbn [map fst]; [reflexivity|]. now rewrite same_value, IH.
  Qed.
End Exchange.

(** Two closed queries that have the same answers may be exchanged, wherever they stand. *)
Theorem exchange s cs t q0 q1 b : (forall w rs, answer w rs q0 = answer w [] q0) -> (forall w rs, answer w rs q1 = answer w [] q1) ->
  same_answers_under s cs q0 q1 -> same_answers_under s cs (pq t q0 b) (pq t q1 b).
Proof.
  intros C0 C1 S w W. rewrite !pq_ok by auto. specialize (S w W). destruct W as [L _].
  assert (L' : lawful (with_table w t (answer w [] q0))) by (split; apply L).
  apply (same_answer (with_table w t (answer w [] q0)) (tables (with_table w t (answer w [] q1))) L'). intros u. cbn [with_table tables]. destruct (String.eqb u t); auto.
Qed.
